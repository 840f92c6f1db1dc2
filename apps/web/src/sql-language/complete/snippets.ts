import { createItem, type Item } from './item.ts'

export interface Snippet {
  readonly name: string
  readonly body: string
}

const SNIPPETS: readonly Snippet[] = [
  { name: 'sel', body: 'select ${2:*}\nfrom ${1:table}\nlimit ${3:100};$0' },
  { name: 'selw', body: 'select ${3:*}\nfrom ${1:table}\nwhere ${2:condition};$0' },
  { name: 'cnt', body: 'select count(*)\nfrom ${1:table};$0' },
  { name: 'grp', body: 'select ${2:column}, count(*)\nfrom ${1:table}\ngroup by 1\norder by 2 desc;$0' },
  { name: 'cte', body: 'with ${1:name} as (\n  ${2:select 1}\n)\nselect *\nfrom ${1:name};$0' },
  { name: 'ins', body: 'insert into ${1:table} (${2:columns})\nvalues (${3:values});$0' },
  { name: 'upd', body: 'update ${1:table}\nset ${2:column} = ${3:value}\nwhere ${4:condition};$0' },
  { name: 'del', body: 'delete from ${1:table}\nwhere ${2:condition};$0' },
  {
    name: 'ups',
    body: 'insert into ${1:table} (${2:columns})\nvalues (${3:values})\non conflict (${4:key}) do update set ${5:column} = excluded.${5:column};$0',
  },
  {
    name: 'tbl',
    body: 'create table ${1:name} (\n  id bigint generated always as identity primary key,\n  ${2:column} ${3:text} not null\n);$0',
  },
  { name: 'idx', body: 'create index on ${1:table} (${2:columns});$0' },
  { name: 'win', body: 'row_number() over (partition by ${1:column} order by ${2:column})$0' },
  { name: 'casew', body: 'case when ${1:condition} then ${2:value} else ${3:value} end$0' },
]

const IN_EXPRESSIONS = new Set(['win', 'casew'])

export function listSnippets(isStatement: boolean, ownSnippets: readonly Snippet[]): Item[] {
  const shipped = SNIPPETS.filter(({ name }) => IN_EXPRESSIONS.has(name) !== isStatement)
  return [...ownSnippets, ...shipped].map(({ name, body }, at) =>
    createItem({
      label: name,
      kind: 'snippet',
      detail: body
        .replaceAll(/\$\{\d+:([^}]*)\}|\$\d/g, '$1')
        .replaceAll(/\s+/g, ' ')
        .slice(0, 60),
      insert: body,
      isTemplate: true,
      rank: at < ownSnippets.length ? 28 : 70,
    }),
  )
}
