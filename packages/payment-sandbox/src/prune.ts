import type { Store } from './store.ts'

/** As long as the provider keeps them: whoever is told nothing for longer has to read the objects themselves. */
const EVENT_DAYS = 30
/** A clock that is moved by years leaves thousands in a moment; more would slow every list of them. */
const MAX_EVENTS = 5000

/** Forgets what nobody can ask for any more. What still waits to be delivered stays. */
export async function prune(store: Store, limits = { days: EVENT_DAYS, events: MAX_EVENTS }): Promise<void> {
  await store.query("delete from sandbox_requests where created_at < now() - interval '2 days'")
  // Each click on a link to the portal makes one; the links themselves are good for an hour.
  await store.query(
    "delete from sandbox_objects where kind = 'billing_portal.session' and stored_at < now() - interval '2 days'",
  )
  await store.query(
    `delete from sandbox_objects e
      where e.kind = 'event'
        and (e.stored_at < now() - make_interval(days => $1)
             or e.seq <= (select seq from sandbox_objects where kind = 'event' order by seq desc offset $2 limit 1))
        and not exists (select from sandbox_deliveries d where d.event_id = e.id)`,
    [limits.days, limits.events],
  )
}
