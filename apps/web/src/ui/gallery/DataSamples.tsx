import { LogOut, Settings } from 'lucide-react'
import { Avatar, AvatarMenu, Face } from '../data/Avatar.tsx'
import { CodeBlock } from '../data/CodeBlock.tsx'
import { DataTable, type Column } from '../data/DataTable.tsx'
import { DateTime } from '../data/DateTime.tsx'
import { Kbd } from '../data/Kbd.tsx'
import { useLocalTableState } from '../data/use-table-state.ts'
import { StatusDot, type Tone } from '../feedback/Status.tsx'
import { GridSample } from './GridSample.tsx'
import { Sample } from './Sample.tsx'

interface Row {
  name: string
  status: string
  tone: Tone
  rows: number
}

const ROWS: readonly Row[] = [
  { name: 'Orders to warehouse', status: 'Succeeded', tone: 'success', rows: 128_420 },
  { name: 'Ad spend, daily', status: 'Running', tone: 'info', rows: 9_310 },
  { name: 'Customers', status: 'Failed', tone: 'danger', rows: 0 },
]
const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: 'Dataflow', cell: (row) => row.name, sortBy: (row) => row.name },
  {
    key: 'status',
    title: 'Last run',
    width: 130,
    cell: (row) => <StatusDot tone={row.tone}>{row.status}</StatusDot>,
    sortBy: (row) => row.status,
  },
  {
    key: 'rows',
    title: 'Rows',
    width: 100,
    isNumber: true,
    cell: (row) => row.rows.toLocaleString('en'),
    sortBy: (row) => row.rows,
  },
]
const MOMENT = '2026-03-02T08:15:00Z'

export function DataSamples() {
  const state = useLocalTableState()
  return (
    <>
      <Sample title="DataTable" isColumn>
        <DataTable
          label="Dataflows"
          rows={ROWS}
          columns={COLUMNS}
          rowKey={(row) => row.name}
          searchText={(row) => row.name}
          state={state}
          onOpen={() => undefined}
        />
      </Sample>
      <Sample title="Avatar">
        <Avatar name="Ada Lovelace" email="ada@example.com" />
        <Face name="Growth" isSquare />
        <AvatarMenu
          name="Grace Hopper"
          email="grace@example.com"
          groups={[
            [{ label: 'Profile settings', icon: <Settings aria-hidden /> }],
            [{ label: 'Logout', icon: <LogOut aria-hidden /> }],
          ]}
        />
      </Sample>
      <Sample title="DateTime and Kbd">
        <DateTime value={MOMENT} />
        <DateTime value={MOMENT} format="relative" />
        <Kbd keys="mod+k" />
        <Kbd keys="?" />
      </Sample>
      <Sample title="CodeBlock" isColumn>
        <CodeBlock title="SQL" code={'select customer, sum(amount)\nfrom orders\ngroup by customer;'} />
      </Sample>
      <Sample title="DataGrid" isColumn>
        <GridSample />
      </Sample>
    </>
  )
}
