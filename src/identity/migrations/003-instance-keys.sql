-- Which instance key the rows of a realm belong to: a value that only this key can make.
CREATE TABLE identity_instance_keys (
  realm TEXT NOT NULL PRIMARY KEY,
  check_value TEXT NOT NULL
);
