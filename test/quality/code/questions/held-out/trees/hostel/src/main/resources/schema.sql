CREATE TABLE booking (
  reference CHAR(8) PRIMARY KEY,
  hostel VARCHAR(20) NOT NULL,
  arrival DATE NOT NULL,
  departure DATE NOT NULL,
  beds INT NOT NULL,
  status VARCHAR(12) NOT NULL,
  CONSTRAINT stays_a_night CHECK (departure > arrival)
);
CREATE INDEX booking_by_arrival ON booking (hostel, arrival);
