import { useEffect, useState } from 'react'

/** Now, anew every minute: long enough that drawing every block again costs nothing. */
export function useMinute(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
