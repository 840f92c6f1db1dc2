import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Section } from '../../../ui/layout/Page.tsx'
import { canIn, useCurrentAccount } from '../../accounts/accounts.queries.ts'
import { useAiModel } from './ai-model.queries.ts'
import { CurrentModel } from './CurrentModel.tsx'
import { ModelForm } from './ModelForm.tsx'
import styles from './model.module.css'

export function ModelTab() {
  const account = useCurrentAccount()
  const model = useAiModel(account.trellis_code)
  const canEdit = canIn(account, 'account:update')
  return (
    <Loaded query={model} subject="The model">
      {(modelSettings) => (
        <div>
          <Section title="Answers now" subtitle="What answers questions in every workspace of this account.">
            <CurrentModel account={account.trellis_code} model={modelSettings} canEdit={canEdit} />
          </Section>
          <Section
            title="Your own model"
            subtitle="Anthropic, or any endpoint with chat completions: OpenAI, Ollama, vLLM, llama.cpp. Answers of your own model cost no credits."
          >
            {canEdit ? (
              <ModelForm key={modelSettings.source} account={account.trellis_code} model={modelSettings} />
            ) : (
              <p className={styles.note}>Only the owner and admins of the account can change the model.</p>
            )}
          </Section>
        </div>
      )}
    </Loaded>
  )
}
