package org.example.hostel.booking;

import java.time.LocalDate;
import org.example.hostel.inventory.Availability;

public class CreateBooking {
    private final Repository repository;
    private final Availability availability;
    private final References references = new References();

    public CreateBooking(Repository repository, Availability availability) {
        this.repository = repository;
        this.availability = availability;
    }

    public Booking handle(String hostel, LocalDate arrival, LocalDate departure, int beds) {
        if (!departure.isAfter(arrival)) {
            throw new IllegalArgumentException("a stay has at least one night");
        }
        if (availability.free(hostel, arrival, departure) < beds) {
            throw new IllegalStateException("hostel is full on one of the nights");
        }
        Booking booking = new Booking(references.next(), hostel, arrival, departure, beds, Booking.Status.HELD);
        repository.save(booking);
        return booking;
    }
}
