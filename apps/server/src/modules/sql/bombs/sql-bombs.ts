export interface SqlBomb {
  readonly name: string
  readonly sql: string
  readonly ends: readonly string[]
}

const TIME = ['57014', '57P01', 'statement_timeout']
const TIME_OR_MEMORY = [...TIME, '53200', '53400', '54000', 'resource_limit']
const SIZE = [...TIME_OR_MEMORY, 'result_too_large']
const LOOP = 'loop begin loop end loop; exception when query_canceled then null; end; end loop;'

export const sqlBombs: readonly SqlBomb[] = [
  {
    name: 'loop that traps every cancel',
    sql: `set statement_timeout = 0; do $$ begin ${LOOP} end $$`,
    ends: TIME,
  },
  {
    name: 'memory by one long text',
    sql: "select length(string_agg(repeat(n::text, 1000), ',')) from generate_series(1, 100000000) n",
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'memory by a setting, then temporary files',
    sql: "set work_mem = '8GB'; select count(*) from (select n from generate_series(1, 1000000000) n order by md5(n::text)) s",
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'recursion without an end',
    sql: 'with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r',
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'cross join',
    sql: 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b',
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'a million million rows',
    sql: 'select * from generate_series(1, 1000000000000) n',
    ends: ['none', ...TIME_OR_MEMORY],
  },
  {
    name: 'lock that is kept',
    sql: `create table if not exists held (n int); begin; lock table held; do $$ begin ${LOOP} end $$`,
    ends: TIME,
  },
  {
    name: 'regular expression that never ends',
    sql: String.raw`select (repeat('a', 3001) || 'b') ~ '^(a+)\1(a+)\2(a+)\3(a+)\4b$'`,
    ends: TIME,
  },
  {
    name: 'subtransactions without an end',
    sql: 'do $$ begin loop begin perform 1; exception when division_by_zero then null; end; end loop; end $$',
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'list of a hundred thousand values',
    sql: `select 1 where 1 in (${Array.from({ length: 99_000 }, (_, at) => at % 10).join(',')})`,
    ends: ['none', ...TIME_OR_MEMORY],
  },
  {
    name: 'ninety thousand parentheses',
    sql: `select ${'('.repeat(90_000)}1${')'.repeat(90_000)}`,
    ends: ['42601', '54001', ...TIME_OR_MEMORY],
  },
  { name: 'one cell of a gigabyte', sql: "select repeat('x', 1000000000)", ends: SIZE },
  {
    name: 'notices without an end',
    sql: "do $$ begin loop raise notice '%', repeat('x', 100000); end loop; end $$",
    ends: SIZE,
  },
  { name: 'sleep', sql: Array.from({ length: 50 }, () => 'select pg_sleep(3600)').join(';'), ends: ['42501'] },
  {
    name: 'function that calls itself',
    sql: `create or replace function deeper(n int) returns int language plpgsql as $$ begin return deeper(n + 1); end $$;
      select deeper(1)`,
    ends: ['54001', ...TIME_OR_MEMORY],
  },
  {
    name: 'error of forty megabytes',
    sql: "do $$ begin raise exception '%', repeat('x', 40000000); end $$",
    ends: ['P0001', ...SIZE],
  },
]
