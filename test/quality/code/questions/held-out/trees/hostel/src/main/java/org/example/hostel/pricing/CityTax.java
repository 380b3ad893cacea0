package org.example.hostel.pricing;

public final class CityTax {
    /** Children under 13 are exempt, and nobody pays for more than seven nights. */
    public static int cents(String hostel, int[] ages, long nights) {
        int rate = switch (hostel) {
            case "lisbon" -> 400;
            case "porto" -> 300;
            default -> 0;
        };
        int adults = 0;
        for (int age : ages) {
            adults += age >= 13 ? 1 : 0;
        }
        return (int) (rate * adults * Math.min(nights, 7));
    }
}
