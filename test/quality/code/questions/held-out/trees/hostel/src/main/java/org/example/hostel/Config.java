package org.example.hostel;

import java.time.LocalTime;
import java.util.Properties;

public record Config(int port, int overbookingPercent, LocalTime latestArrival, int weekendSurcharge) {

    /** A missing entry stops the start: guessing how far to overbook would be expensive. */
    public static Config parse(Properties properties) {
        return new Config(
                Integer.parseInt(required(properties, "server.port")),
                Integer.parseInt(required(properties, "booking.overbooking-percent")),
                LocalTime.parse(required(properties, "booking.latest-arrival")),
                Integer.parseInt(required(properties, "pricing.weekend-surcharge")));
    }

    private static String required(Properties properties, String key) {
        String value = properties.getProperty(key);
        if (value == null) {
            throw new IllegalStateException("missing setting " + key);
        }
        return value.strip();
    }
}
