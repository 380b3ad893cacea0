package org.example.hostel.booking;

import java.time.LocalDate;

public class CancelBooking {
    private final Repository repository;

    public CancelBooking(Repository repository) {
        this.repository = repository;
    }

    /** Returns the percentage that the guest must still pay: nothing a week ahead, half until the day before. */
    public int handle(String reference, LocalDate today) {
        Booking booking = repository.load(reference);
        repository.save(booking.with(Booking.Status.CANCELLED));
        if (!today.isAfter(booking.arrival().minusDays(7))) {
            return 0;
        }
        return today.isBefore(booking.arrival()) ? 50 : 100;
    }
}
