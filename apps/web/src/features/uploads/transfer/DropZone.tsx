import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import styles from './transfer.module.css'

const ACCEPT = '.csv,.tsv,.txt,.jsonl,.ndjson,.xlsx,.parquet,.gz'

interface DropZoneProps {
  title: string
  hint: ReactNode
  onFile: (file: File) => void
}

export function DropZone({ title, hint, onFile }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
      const file = event.clipboardData?.files[0] ?? toTextFile(event.clipboardData?.getData('text/plain') ?? '')
      if (file) onFile(file)
    }
    // Without this a file dropped beside the zone replaces the page.
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (file) onFile(file)
    }
    const listeners = { paste, dragover: over, dragleave: leave, drop } as Record<string, (event: never) => void>
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name, listener as EventListener)
    }
  }, [onFile])
  return (
    <section aria-label={title} className={styles.zone} data-over={isOver}>
      <FileUp aria-hidden />
      <h2>{title}</h2>
      <p>{hint}</p>
      <Button variant="primary" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        accept={ACCEPT}
        aria-label="File"
        tabIndex={-1}
        className="visually-hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
    </section>
  )
}

function toTextFile(text: string): File | null {
  if (!text.includes('\n')) return null
  const [head = ''] = text.split('\n', 1)
  return head.includes('\t')
    ? new File([text], 'pasted.tsv', { type: 'text/tab-separated-values' })
    : new File([text], 'pasted.csv', { type: 'text/csv' })
}
