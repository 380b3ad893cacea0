package org.example.hostel.notify;

import java.time.LocalDateTime;
import java.time.LocalTime;

public record QuietHours(LocalTime from, LocalTime until) {

    /** Text messages written late in the evening wait for the morning. */
    public LocalDateTime sendAt(LocalDateTime wanted) {
        LocalTime time = wanted.toLocalTime();
        if (!time.isBefore(from)) {
            return wanted.toLocalDate().plusDays(1).atTime(until);
        }
        return time.isBefore(until) ? wanted.toLocalDate().atTime(until) : wanted;
    }
}
