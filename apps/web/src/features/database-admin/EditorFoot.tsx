import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { SubmitButton } from '../../ui/forms/Form.tsx'
import styles from './database-admin.module.css'

interface FootProps {
  back: string
  save: string
  isLocked: boolean
  error: Error | null
  deleteLabel?: string
  onDelete?: (() => void) | undefined
}

export function EditorFoot({ back, save, isLocked, error, deleteLabel = 'Delete…', onDelete }: FootProps) {
  return (
    <>
      {error && <Banner tone="danger">{error.message}</Banner>}
      <div className={styles.foot}>
        <span>
          {onDelete && !isLocked && (
            <Button variant="danger" onClick={onDelete}>
              {deleteLabel}
            </Button>
          )}
        </span>
        <span className={styles.footEnd}>
          <ButtonLink to={back}>{isLocked ? 'Back' : 'Cancel'}</ButtonLink>
          {!isLocked && <SubmitButton>{save}</SubmitButton>}
        </span>
      </div>
    </>
  )
}
