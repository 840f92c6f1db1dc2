import { useState } from 'react'
import { useDatabases } from '../../explorer/explorer.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { toDatabaseKey } from '../worksheets.queries.ts'

export function useQueryDatabases(fileId: string) {
  const { params } = useWorksheets()
  const { data = [], isPending: isLoading } = useDatabases(params)
  const [selected, setSelected] = useState(() => localStorage.getItem(toDatabaseKey(fileId)))
  const databases = data.map(({ integration_trellis_code: code, name }) => ({ code, name }))
  const own = data.find(({ kind }) => kind === 'managed')?.integration_trellis_code ?? null
  const database = databases.some(({ code }) => code === selected) ? selected : own
  return {
    databases,
    database,
    own,
    isLoading,
    choose: (code: string) => {
      localStorage.setItem(toDatabaseKey(fileId), code)
      setSelected(code)
    },
  }
}
