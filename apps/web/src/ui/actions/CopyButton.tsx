import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'

const SHOWN_MS = 1600

/** Copies a text and says so for a moment. With `label` it is a full button, without it a small icon. */
export function CopyButton({ text, label, what = 'Copy' }: { text: string; label?: string; what?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true))
  }
  const icon = isCopied ? <Check aria-hidden /> : <Copy aria-hidden />
  return (
    <>
      {label === undefined ? (
        <IconButton size="sm" label={isCopied ? 'Copied' : what} icon={icon} onClick={copy} />
      ) : (
        <Button size="sm" icon={icon} onClick={copy}>
          {isCopied ? 'Copied' : label}
        </Button>
      )}
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
