-- The counters of rate limits are in identity_hits, for every service. They last minutes.
DROP TABLE events_hits;
