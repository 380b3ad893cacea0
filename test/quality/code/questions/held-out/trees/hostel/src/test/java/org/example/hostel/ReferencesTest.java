package org.example.hostel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.example.hostel.booking.References;
import org.junit.jupiter.api.Test;

class ReferencesTest {
    @Test
    void swappedLettersAreNoticed() {
        String good = new References().next();
        assertTrue(References.plausible(good));
        assertFalse(References.plausible(good.substring(0, 7)));
    }
}
