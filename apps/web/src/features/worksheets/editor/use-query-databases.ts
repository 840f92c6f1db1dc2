import { useState } from 'react'
import { useDatabases } from '../../explorer/explorer.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'

const key = (fileId: string) => `trellis.worksheet.database ${fileId}`

/** The database a worksheet runs on: the workspace's own unless another was chosen for it. */
export function useQueryDatabases(fileId: string) {
  const { params } = useWorksheets()
  const { data = [] } = useDatabases(params)
  const [chosen, setChosen] = useState(() => localStorage.getItem(key(fileId)))
  const databases = data.map(({ integration_trellis_code: code, name }) => ({ code, name }))
  const own = data.find(({ kind }) => kind === 'managed')?.integration_trellis_code ?? null
  const database = databases.some(({ code }) => code === chosen) ? chosen : own
  return {
    databases,
    database,
    choose: (code: string) => {
      localStorage.setItem(key(fileId), code)
      setChosen(code)
    },
  }
}
