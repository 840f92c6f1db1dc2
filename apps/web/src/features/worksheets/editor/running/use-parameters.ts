import { getRememberedParameters } from '@trellis/contract/sql/running.endpoints'
import type { Parameters } from '@trellis/contract/sql/sql.schemas'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { apiQuery } from '../../../../api/api-query.ts'
import { listParameterNames } from '../../../../sql-language/text/parameters.ts'
import { useSettled } from '../../../../ui/data/use-settled.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import { chooseParameters, type ParameterValue, parseParameters } from './parameter-values.ts'

const key = (fileId: string) => `trellis.worksheet.parameters ${fileId}`

const SETTLES_MS = 250

/** Values for the `:name`s of a worksheet: those typed in this browser, else those of the last run anywhere. */
export function useParameters(fileId: string, text: string) {
  const { params } = useWorksheets()
  const [typed, setTyped] = useState<Parameters>(() => parseParameters(localStorage.getItem(key(fileId))))
  // Typing never waits for the names to be found.
  const late = useSettled(text, SETTLES_MS)
  const names = useMemo(() => listParameterNames(late), [late])
  const remembered = useQuery({
    ...apiQuery(getRememberedParameters, { params: { ...params, file_id: fileId } }),
    enabled: names.length > 0,
  })
  const known = { ...remembered.data?.parameters, ...typed }
  return {
    names,
    known,
    set: (name: string, value: ParameterValue) => {
      const next = { ...typed, [name]: value }
      localStorage.setItem(key(fileId), JSON.stringify(next))
      setTyped(next)
    },
    /** Those of the text that is run. */
    choose: (sql: string): Parameters => chooseParameters(listParameterNames(sql), known),
  }
}

export type ParameterState = ReturnType<typeof useParameters>
