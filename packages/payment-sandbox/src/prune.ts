import type { Store } from './store.ts'

const EVENT_DAYS = 30
/** Moving a clock by years creates thousands at once, which would slow down every list. */
const MAX_EVENTS = 5000

export async function prune(store: Store, limits = { days: EVENT_DAYS, events: MAX_EVENTS }): Promise<void> {
  await store.query("delete from sandbox_requests where created_at < now() - interval '2 days'")
  // Every click on a portal link creates one; links expire after an hour.
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
