package org.example.hostel.booking;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class Repository {
    private final Map<String, Booking> rows = new ConcurrentHashMap<>();

    public void save(Booking booking) {
        rows.put(booking.reference(), booking);
    }

    public Booking load(String reference) {
        Booking found = rows.get(reference);
        if (found == null) {
            throw new IllegalArgumentException("no booking " + reference);
        }
        return found;
    }

    public List<Booking> during(String hostel, LocalDate night) {
        return rows.values().stream().filter(b -> b.hostel().equals(hostel) && b.occupies(night)).toList();
    }
}
