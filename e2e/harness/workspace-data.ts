import type { APIRequestContext } from '@playwright/test'
import { withClient } from '@trellis/control-db/connect'
import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from './environment.ts'
import { giveAccount, type Person, post } from './people.ts'

export interface GivenWorkspace {
  account: string
  explorer: string
  database: string
}

const SAMPLE = `
  create table shop.customers (id bigint primary key, name text not null, joined date);
  insert into shop.customers
    select n, 'Customer ' || n, date '2026-01-01' + (n % 200)::int from generate_series(1, 400) n;
  create table shop.orders (
    id bigint primary key,
    customer_id bigint references shop.customers (id),
    status text not null,
    amount numeric(12, 2),
    placed_at timestamptz not null,
    extra jsonb
  );
  insert into shop.orders
    select n, 1 + n % 400, (array['paid', 'shipped', 'open'])[1 + n % 3],
      case when n % 17 = 0 then null else (n % 400) + 0.5 end,
      timestamptz '2026-01-01 08:00Z' + n * interval '7 minutes',
      jsonb_build_object('channel', 'web', 'note', repeat('long ', case when n = 1 then 2000 else 1 end))
    from generate_series(1, 2500) n;
  create view shop.daily_revenue as
    select date_trunc('day', placed_at) as day, sum(amount) as revenue from shop.orders group by 1;
  comment on table shop.orders is 'Every order of the shop.';
  analyze shop.customers, shop.orders;
`

export async function giveWorkspaceWithTables(request: APIRequestContext, person: Person): Promise<GivenWorkspace> {
  const account = await giveAccount(person, [])
  const headers = await signIn(request, person)
  const wanted = { account, name: 'Harbour shop', workspace_address: 'shop' }
  const { trellis_code, key } = await makeWorkspace(request, headers, wanted)
  const database = `${trellis_code}-db`
  const schema = await request.post(
    `/api/${account}/shop/tdb-explorer/database-manager/database-information/create-schema`,
    { headers, data: { integration_trellis_code: database, schema_name: 'shop' } },
  )
  if (!schema.ok()) throw new Error(`The schema was not made: ${await schema.text()}`)
  await runAsOwner(key, SAMPLE)
  return { account, explorer: `/${account}/shop/explorer`, database }
}

export async function giveEmptyWorkspace(
  request: APIRequestContext,
  person: Person,
  wanted: { account: string; name: string; workspace_address: string },
): Promise<void> {
  await makeWorkspace(request, await signIn(request, person), wanted)
}

type Headers = Record<'authorization', string>

async function signIn(request: APIRequestContext, { email, password }: Person): Promise<Headers> {
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  return { authorization: `Bearer ${access_token}` }
}

async function makeWorkspace(
  request: APIRequestContext,
  headers: Headers,
  { account, ...data }: { account: string; name: string; workspace_address: string },
): Promise<{ trellis_code: string; key: string }> {
  const made = await request.post(`/api/${account}/workspace`, { headers, data })
  if (!made.ok()) throw new Error(`The workspace was not made: ${await made.text()}`)
  const { trellis_code } = ((await made.json()) as { data: { trellis_code: string } }).data
  return { trellis_code, key: await waitForDatabaseKey(trellis_code) }
}

async function waitForDatabaseKey(trellisCode: string): Promise<string> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    for (;;) {
      const row = await control.db
        .selectFrom('workspaces')
        .select(['state', 'database_key'])
        .where('trellis_code', '=', trellisCode)
        .executeTakeFirstOrThrow()
      if (row.state === 'online' && row.database_key) return row.database_key
      if (row.state === 'failed') throw new Error('The database of the workspace could not be made.')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    await control.close()
  }
}

/** Writes directly to the database, as another program would. */
export async function changeTables({ database }: Pick<GivenWorkspace, 'database'>, sql: string): Promise<void> {
  await runAsOwner(await waitForDatabaseKey(database.replace(/-db$/, '')), sql)
}

async function runAsOwner(key: string, sql: string): Promise<void> {
  const url = new URL(getEnvironment().databaseUrl)
  url.pathname = `/w_${key}`
  await withClient({ connectionString: url.href }, (client) => client.query(`set role w_${key}_own; ${sql}`))
}
