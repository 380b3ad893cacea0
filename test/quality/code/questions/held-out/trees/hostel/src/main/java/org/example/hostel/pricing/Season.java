package org.example.hostel.pricing;

import java.time.LocalDate;
import java.time.MonthDay;

public enum Season {
    LOW(80), MIDDLE(100), HIGH(140);

    public final int percent;

    Season(int percent) {
        this.percent = percent;
    }

    public static Season of(LocalDate night) {
        MonthDay day = MonthDay.from(night);
        if (!day.isBefore(MonthDay.of(6, 15)) && day.isBefore(MonthDay.of(9, 15))) {
            return HIGH;
        }
        return night.getMonthValue() >= 11 || night.getMonthValue() <= 2 ? LOW : MIDDLE;
    }
}
