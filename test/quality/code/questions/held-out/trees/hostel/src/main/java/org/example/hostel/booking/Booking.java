package org.example.hostel.booking;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

public record Booking(String reference, String hostel, LocalDate arrival, LocalDate departure, int beds, Status status) {

    public enum Status { HELD, CONFIRMED, ARRIVED, LEFT, CANCELLED, NO_SHOW }

    public long nights() {
        return ChronoUnit.DAYS.between(arrival, departure);
    }

    /** The day of departure is free for the next guest. */
    public boolean occupies(LocalDate night) {
        return status != Status.CANCELLED && !night.isBefore(arrival) && night.isBefore(departure);
    }

    public Booking with(Status changed) {
        return new Booking(reference, hostel, arrival, departure, beds, changed);
    }
}
