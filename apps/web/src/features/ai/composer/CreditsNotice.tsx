import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import styles from './question-box.module.css'

interface CreditsNoticeProps {
  account: string
  onUseRules: () => void
}

/** The question stays in the box, to be sent again. */
export default function CreditsNotice({ account, onUseRules }: CreditsNoticeProps) {
  return (
    <div className={styles.credits}>
      <Banner
        tone="warning"
        title="Not enough credits for an answer of the model"
        action={
          <>
            <Button size="sm" onClick={onUseRules}>
              Use rules instead
            </Button>
            <ButtonLink size="sm" to={`/${account}/settings?tab=plan-utilization`}>
              Show credits
            </ButtonLink>
          </>
        }
      >
        Answers by rules are free. An owner or admin of the account can buy credits or upgrade the plan.
      </Banner>
    </div>
  )
}
