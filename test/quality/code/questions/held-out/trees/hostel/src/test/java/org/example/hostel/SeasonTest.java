package org.example.hostel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.example.hostel.pricing.Season;
import org.junit.jupiter.api.Test;

class SeasonTest {
    @Test
    void midSeptemberIsNoLongerHigh() {
        assertEquals(Season.MIDDLE, Season.of(LocalDate.of(2024, 9, 15)));
    }
}
