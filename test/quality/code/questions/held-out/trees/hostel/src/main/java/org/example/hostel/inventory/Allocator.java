package org.example.hostel.inventory;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

public class Allocator {
    public record Room(String number, int beds, int taken, boolean womenOnly) {
        int left() {
            return beds - taken;
        }
    }

    /** Best fit: the room in which the fewest beds stay empty keeps groups together and big dorms open. */
    public Optional<Room> assign(List<Room> rooms, int group, boolean allWomen) {
        return rooms.stream()
                .filter(room -> room.left() >= group && (allWomen || !room.womenOnly()))
                .min(Comparator.comparingInt(Room::left));
    }
}
