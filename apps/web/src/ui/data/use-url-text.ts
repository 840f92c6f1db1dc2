import { useEffect, useRef, useState } from 'react'
import { useAddress } from './use-address.ts'

/**
 * A text field that is stored in the URL too. The URL is updated asynchronously, so a field bound to it alone would
 * lose letters typed meanwhile.
 */
export function useUrlText(name: string): [text: string, setText: (text: string) => void] {
  const { params, put } = useAddress()
  const asked = params.get(name) ?? ''
  const [text, setText] = useState(asked)
  const sent = useRef<string[]>([])
  useEffect(() => {
    const at = sent.current.indexOf(asked)
    if (at === -1) setText(asked)
    sent.current = sent.current.slice(at + 1)
  }, [asked])
  const type = (next: string) => {
    setText(next)
    sent.current.push(next)
    put({ [name]: next })
  }
  return [text, type]
}
