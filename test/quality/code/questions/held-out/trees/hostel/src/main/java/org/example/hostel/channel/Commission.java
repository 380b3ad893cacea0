package org.example.hostel.channel;

import java.util.Map;

public final class Commission {
    private static final Map<String, Double> SHARE = Map.of("bedfinder", 0.15, "packrat", 0.12);

    public static long payout(String portal, long cents) {
        return Math.round(cents * (1 - SHARE.getOrDefault(portal, 0.0)));
    }
}
