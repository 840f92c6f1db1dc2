/** Resource exhaustion: each must end by itself or at its timeout, without affecting others. */
export interface Bomb {
  readonly name: string
  readonly sql: string | readonly string[]
  readonly ends: readonly string[]
}

const TIME = ['statement_timeout']
const TIME_OR_MEMORY = ['statement_timeout', 'resource_limit']

export const bombs: readonly Bomb[] = [
  {
    name: 'cross join',
    sql: 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b',
    ends: TIME,
  },
  {
    name: 'endless recursion in a query',
    sql: 'with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r',
    ends: TIME,
  },
  {
    name: 'growing text in a recursion',
    sql: "with recursive r(t) as (select 'x' union all select t || t from r) select max(length(t)) from r",
    ends: TIME_OR_MEMORY,
  },
  { name: 'long text', sql: "select length(repeat(repeat('x', 1000), 900000))", ends: TIME_OR_MEMORY },
  {
    name: 'array of everything',
    sql: 'select array_length(array_agg(n), 1) from generate_series(1, 1000000000) n',
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'sort with all the memory it wants',
    sql: [
      "set work_mem = '8GB'",
      'select count(*) from (select n from generate_series(1, 1000000000) n order by md5(n::text)) s',
    ],
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'regular expression that never ends',
    sql: String.raw`select (repeat('a', 3001) || 'b') ~ '^(a+)\1(a+)\2(a+)\3(a+)\4b$'`,
    ends: TIME,
  },
  { name: 'loop without end', sql: 'do $$ begin loop end loop; end $$', ends: TIME },
  {
    name: 'loop that traps every cancel and switches off the timeout',
    sql: `do $$ begin perform set_config('statement_timeout', '0', false);
      loop begin loop end loop; exception when query_canceled then null; end; end loop; end $$`,
    ends: TIME,
  },
  {
    name: 'function that calls itself',
    sql: [
      'create or replace function deeper(n int) returns int language plpgsql as $$ begin return deeper(n + 1); end $$',
      'select deeper(1)',
    ],
    ends: TIME_OR_MEMORY,
  },
  {
    name: 'flood of notices',
    sql: "do $$ begin loop raise notice '%', repeat('x', 10000); end loop; end $$",
    ends: ['statement_timeout', 'result_too_large'],
  },
  { name: 'one huge row', sql: "select repeat('x', 40000000)", ends: ['statement_timeout', 'result_too_large'] },
  {
    name: 'error with a huge text',
    sql: "do $$ begin raise exception '%', repeat('x', 40000000); end $$",
    ends: ['statement_timeout', 'result_too_large', 'statement_failed'],
  },
  {
    name: 'copy of everything to the client',
    sql: 'copy (select * from generate_series(1, 1000000000)) to stdout',
    ends: ['statement_timeout', 'refused'],
  },
  {
    name: 'insert without end',
    sql: ['create table if not exists heap (n int)', 'insert into heap select 1 from generate_series(1, 1000000000)'],
    ends: TIME,
  },
  {
    name: 'own messages without end',
    sql: "do $$ begin loop notify probe, 'x'; end loop; end $$",
    ends: TIME_OR_MEMORY,
  },
]
