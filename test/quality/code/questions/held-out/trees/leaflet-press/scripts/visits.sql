-- Most read pages of the last thirty days, without robots.
SELECT path, count(DISTINCT visitor) AS readers
FROM visits
WHERE seen_at > now() - interval '30 days'
  AND agent NOT ILIKE '%bot%'
GROUP BY path
ORDER BY readers DESC
LIMIT 25;
