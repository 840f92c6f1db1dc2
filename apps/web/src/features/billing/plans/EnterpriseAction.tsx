import { Button } from '../../../ui/actions/Button.tsx'
import { fillTab, openTab } from '../provider-tab.ts'

/** Books a call or writes to support; there is no checkout. */
export function EnterpriseAction({ href, isDisabled = false }: { href: string | undefined; isDisabled?: boolean }) {
  const open = () => {
    if (href === undefined) return
    if (/^https?:/.test(href)) fillTab(openTab(), href)
    else location.assign(href)
  }
  return (
    <Button isWide disabled={isDisabled || href === undefined} onClick={open}>
      Contact us
    </Button>
  )
}
