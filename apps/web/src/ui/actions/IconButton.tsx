import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import styles from './Button.module.css'

/** A button with only a picture: its label is read aloud and shown on hover. */
export function IconButton({
  label,
  icon,
  hint,
  size = 'md',
  className,
  type = 'button',
  ...rest
}: { label: string; icon: ReactNode; hint?: ReactNode; size?: 'sm' | 'md' } & Omit<
  ComponentProps<'button'>,
  'children'
>) {
  return (
    <Tooltip text={label} hint={hint} isLabel>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classNames(styles.icon, size === 'sm' && styles.iconSm, className)}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
