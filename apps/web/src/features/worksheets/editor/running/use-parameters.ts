import { getRememberedParameters } from '@trellis/contract/sql/running.endpoints'
import type { Parameters } from '@trellis/contract/sql/sql.schemas'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../../../api/api-query.ts'
import { listParameterNames } from '../../../../sql-language/text/parameters.ts'
import type { Observable } from '../../../../ui/data/observable.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import { getPersonalKey } from '../draft/personal-key.ts'
import { chooseParameters, type ParameterValue, parseParameters } from './parameter-values.ts'

const SETTLES_MS = 250

/** Typed in this browser, or those of the last run anywhere. */
export function useParameters(fileId: string, text: Observable<string>) {
  const { params } = useWorksheets()
  const key = getPersonalKey('parameters', fileId)
  const [draftParameters, setTyped] = useState<Parameters>(() => parseParameters(localStorage.getItem(key)))
  const names = useParameterNames(text)
  const remembered = useQuery({
    ...apiQuery(getRememberedParameters, { params: { ...params, file_id: fileId } }),
    enabled: names.length > 0,
  })
  const parameters = { ...remembered.data?.parameters, ...draftParameters }
  return {
    names,
    known: parameters,
    set: (name: string, value: ParameterValue) => {
      const next = { ...draftParameters, [name]: value }
      localStorage.setItem(key, JSON.stringify(next))
      setTyped(next)
    },
    choose: (sql: string): Parameters => chooseParameters(listParameterNames(sql), parameters),
  }
}

/** Renders only when the names change, not on every keystroke. */
function useParameterNames(text: Observable<string>): readonly string[] {
  const [names, setNames] = useState<readonly string[]>(() => listParameterNames(text.get()))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const find = () => {
      const parameterNames = listParameterNames(text.get())
      setNames((before) => (before.join() === parameterNames.join() ? before : parameterNames))
    }
    const stop = text.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(find, SETTLES_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [text])
  return names
}

export type ParameterState = ReturnType<typeof useParameters>
