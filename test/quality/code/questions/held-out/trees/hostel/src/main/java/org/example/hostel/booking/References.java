package org.example.hostel.booking;

import java.security.SecureRandom;

public final class References {
    /** Without 0, O, 1 and I, because guests read them out on the telephone. */
    private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    private final SecureRandom random = new SecureRandom();

    public String next() {
        StringBuilder text = new StringBuilder();
        int sum = 0;
        for (int i = 0; i < 7; i++) {
            int digit = random.nextInt(ALPHABET.length());
            sum += digit * (i + 1);
            text.append(ALPHABET.charAt(digit));
        }
        return text.append(ALPHABET.charAt(sum % ALPHABET.length())).toString();
    }

    public static boolean plausible(String reference) {
        if (reference.length() != 8) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 7; i++) {
            sum += ALPHABET.indexOf(reference.charAt(i)) * (i + 1);
        }
        return sum >= 0 && ALPHABET.charAt(sum % ALPHABET.length()) == reference.charAt(7);
    }
}
