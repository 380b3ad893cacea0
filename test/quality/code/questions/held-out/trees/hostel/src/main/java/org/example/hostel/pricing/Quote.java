package org.example.hostel.pricing;

import java.time.DayOfWeek;
import java.time.LocalDate;

public class Quote {
    private final int baseCents;
    private final int weekendSurcharge;

    public Quote(int baseCents, int weekendSurcharge) {
        this.baseCents = baseCents;
        this.weekendSurcharge = weekendSurcharge;
    }

    public int total(LocalDate arrival, LocalDate departure, int beds) {
        int sum = arrival.datesUntil(departure).mapToInt(this::night).sum();
        return sum * beds * (100 - longStay(arrival.datesUntil(departure).count())) / 100;
    }

    private int night(LocalDate night) {
        boolean weekend = night.getDayOfWeek() == DayOfWeek.FRIDAY || night.getDayOfWeek() == DayOfWeek.SATURDAY;
        return baseCents * Season.of(night).percent / 100 * (100 + (weekend ? weekendSurcharge : 0)) / 100;
    }

    /** Whoever remains a week pays a tenth less, from four weeks on a quarter less. */
    private static int longStay(long nights) {
        return nights >= 28 ? 25 : nights >= 7 ? 10 : 0;
    }
}
