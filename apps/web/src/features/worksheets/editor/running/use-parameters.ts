import type { Parameters } from '@trellis/contract/sql/sql.schemas'
import { useMemo, useState } from 'react'
import { listParameterNames } from '../../../../sql-language/text/parameters.ts'
import { useSettled } from '../../../../ui/data/use-settled.ts'
import { chooseParameters, type ParameterValue, parseParameters } from './parameter-values.ts'

const key = (fileId: string) => `trellis.worksheet.parameters ${fileId}`

const SETTLES_MS = 250

/** Values for the `:name`s of a worksheet, found again when it is opened again. */
export function useParameters(fileId: string, text: string) {
  const [known, setKnown] = useState<Parameters>(() => parseParameters(localStorage.getItem(key(fileId))))
  // Typing never waits for the names to be found.
  const late = useSettled(text, SETTLES_MS)
  const names = useMemo(() => listParameterNames(late), [late])
  return {
    names,
    known,
    set: (name: string, value: ParameterValue) => {
      const next = { ...known, [name]: value }
      localStorage.setItem(key(fileId), JSON.stringify(next))
      setKnown(next)
    },
    /** Those of the text that is run. */
    choose: (sql: string): Parameters => chooseParameters(listParameterNames(sql), known),
  }
}

export type ParameterState = ReturnType<typeof useParameters>
