package org.example.hostel.inventory;

import java.time.LocalDate;
import org.example.hostel.booking.Booking;
import org.example.hostel.booking.Repository;

public class Availability {
    private final Repository repository;
    private final int overbookingPercent;

    public Availability(Repository repository, int overbookingPercent) {
        this.repository = repository;
        this.overbookingPercent = overbookingPercent;
    }

    /** The fullest night decides. A few more than we have are sold, since some guests never turn up. */
    public int free(String hostel, LocalDate arrival, LocalDate departure) {
        int sellable = Hostels.beds(hostel) * (100 + overbookingPercent) / 100;
        return arrival.datesUntil(departure)
                .mapToInt(night -> sellable - repository.during(hostel, night).stream().mapToInt(Booking::beds).sum())
                .min()
                .orElse(0);
    }
}
