import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { classNames } from '../class-names.ts'
import styles from './Button.module.css'

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
type Size = 'sm' | 'md' | 'lg'

interface Look {
  variant?: ButtonVariant
  size?: Size
  icon?: ReactNode
  isWide?: boolean
}

function getClassName({ variant = 'secondary', size = 'md', isWide }: Look): string {
  return classNames(styles.button, styles[variant], size !== 'md' && styles[size], isWide && styles.wide)
}

/**
 * `isBusy` keeps the label in place, so the button never changes its width while it works, and does not use `disabled`,
 * which would take the focus away from whoever works with the keyboard.
 */
export function Button({
  variant,
  size,
  icon,
  isWide,
  isBusy = false,
  disabled,
  children,
  className,
  onClick,
  type = 'button',
  ...rest
}: Look & { isBusy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? ignoreClick : onClick}
      className={classNames(
        getClassName({ ...(variant && { variant }), ...(size && { size }), isWide: isWide === true }),
        className,
      )}
    >
      {isBusy ? <span className={styles.spinner} aria-hidden /> : icon}
      {children}
    </button>
  )
}

/** Also that of Enter in a form, which would submit it again. */
function ignoreClick(event: MouseEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

/** A link that looks like a button, for going somewhere rather than doing something. */
export function ButtonLink({
  variant,
  size,
  icon,
  isWide,
  children,
  className,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={classNames(
        getClassName({ ...(variant && { variant }), ...(size && { size }), isWide: isWide === true }),
        className,
      )}
    >
      {icon}
      {children}
    </Link>
  )
}
