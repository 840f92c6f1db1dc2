import { Button } from '../../../../ui/actions/Button.tsx'
import { type Observable, useObservable } from '../../../../ui/data/observable.ts'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import type { SaveState } from './draft-saver.ts'

export function ConflictNotice({ state, onReopen }: { state: Observable<SaveState>; onReopen: () => void }) {
  if (useObservable(state) !== 'conflict') return null
  return (
    <Banner tone="warning">
      This worksheet was changed in another tab. Your text is kept among its versions.{' '}
      <Button size="sm" onClick={onReopen}>
        Show the other version
      </Button>
    </Banner>
  )
}
