CREATE TABLE orders (
  id uuid PRIMARY KEY,
  customer text NOT NULL,
  state text NOT NULL DEFAULT 'draft',
  placed_at timestamptz
);
CREATE INDEX orders_of_customer ON orders (customer, placed_at DESC);
