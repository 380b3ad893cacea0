CREATE TABLE order_lines (
  order_id uuid REFERENCES orders (id) ON DELETE CASCADE,
  sku text NOT NULL,
  quantity int CHECK (quantity BETWEEN 1 AND 99),
  unit_cents int NOT NULL
);
