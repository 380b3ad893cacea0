package org.example.hostel.desk;

import java.time.LocalTime;
import org.example.hostel.booking.Booking;
import org.example.hostel.booking.Repository;

public class CheckIn {
    private final Repository repository;
    private final LocalTime latest;

    public CheckIn(Repository repository, LocalTime latest) {
        this.repository = repository;
        this.latest = latest;
    }

    public String handle(String reference, LocalTime now) {
        Booking booking = repository.load(reference);
        if (booking.status() != Booking.Status.CONFIRMED) {
            throw new IllegalStateException("only a confirmed booking can check in");
        }
        repository.save(booking.with(Booking.Status.ARRIVED));
        return now.isAfter(latest) ? doorCode(reference) : "key at reception";
    }

    /** Latecomers find nobody at the desk, so the lock opens with four digits made of their reference. */
    static String doorCode(String reference) {
        return String.format("%04d", Math.floorMod(reference.hashCode(), 10_000));
    }
}
