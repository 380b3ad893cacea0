package org.example.hostel.desk;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.Set;
import org.example.hostel.booking.Booking;
import org.example.hostel.booking.Repository;

public class NightAudit {
    private final Set<LocalDate> closed = new HashSet<>();

    public int handle(Repository repository, String hostel, LocalDate day) {
        if (!closed.add(day)) {
            return 0;
        }
        int missing = 0;
        for (Booking booking : repository.during(hostel, day)) {
            if (booking.arrival().equals(day) && booking.status() == Booking.Status.CONFIRMED) {
                repository.save(booking.with(Booking.Status.NO_SHOW));
                missing++;
            }
        }
        return missing;
    }
}
