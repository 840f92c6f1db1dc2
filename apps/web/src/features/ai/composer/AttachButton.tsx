import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { DOCUMENT_TYPES } from '../documents/document-files.ts'

export function AttachButton({ isBusy, onFiles }: { isBusy: boolean; onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Choose files to attach"
        accept={DOCUMENT_TYPES}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Allows choosing the same file again.
          event.target.value = ''
        }}
      />
      <IconButton
        label="Attach files"
        hint="Text, Markdown, CSV, PDF or Word"
        icon={<Paperclip aria-hidden />}
        aria-busy={isBusy || undefined}
        disabled={isBusy}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
