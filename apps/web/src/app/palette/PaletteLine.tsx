import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import styles from './palette.module.css'

interface PaletteLineProps {
  id: string
  title: string
  note?: string | undefined
  keywords?: readonly string[] | undefined
  icon: ReactNode
  onSelect: () => void
  children?: ReactNode
}

export function PaletteLine({ id, title, note, keywords = [], icon, onSelect, children }: PaletteLineProps) {
  return (
    <Command.Item value={`${title} ${id}`} keywords={[...keywords]} onSelect={onSelect} className={styles.item}>
      {icon}
      <span className={styles.title}>{title}</span>
      {note && <span className={styles.note}>{note}</span>}
      <span className={styles.keys}>{children}</span>
    </Command.Item>
  )
}
