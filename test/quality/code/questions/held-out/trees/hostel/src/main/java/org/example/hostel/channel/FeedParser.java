package org.example.hostel.channel;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

public class FeedParser {
    public record Row(String portal, String hostel, LocalDate arrival, LocalDate departure, int beds) {}

    private final List<String> rejected = new ArrayList<>();

    /** One bad line must not hold up the others; it is put aside for the office. */
    public List<Row> parse(List<String> lines) {
        List<Row> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(";");
            try {
                rows.add(new Row(cells[0], cells[1], LocalDate.parse(cells[2]), LocalDate.parse(cells[3]),
                        Integer.parseInt(cells[4])));
            } catch (RuntimeException mistake) {
                rejected.add(line);
            }
        }
        return rows;
    }

    public List<String> rejected() {
        return rejected;
    }
}
