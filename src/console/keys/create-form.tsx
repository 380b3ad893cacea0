import { useWriting } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Field, Form } from '../parts/form.tsx'
import type { KeyMade } from '../service/service.ts'
import { type Scope, scopesTold } from './wording.ts'

export const draftOfKey = 'create a key'

interface Fields {
  name: string
  scopes: Scope[]
  user: string
  /** Separated by commas or spaces. */
  teams: string
  /** The last day on which it is valid, in UTC. Empty: it does not expire. */
  until: string
}

const empty: Fields = { name: '', scopes: [], user: '', teams: '', until: '' }

export function CreateForm({ onMade }: { onMade(made: KeyMade): void }) {
  const [fields, setFields] = useDraft(draftOfKey, empty)
  const set = (name: keyof Fields) => (value: string) => setFields({ ...fields, [name]: value })
  const writing = useWriting<KeyMade>()
  const create = async () => {
    const { name, scopes, user, teams, until } = fields
    const input = {
      name,
      scopes,
      ...(user.trim() && { user: user.trim() }),
      ...(teams.trim() && { teams: teams.split(/[\s,]+/).filter((team) => team !== '') }),
      ...(until && { expires_at: new Date(Date.parse(until) + 86_400_000).toISOString() }),
    }
    const made = await writing.send((service) => service.createKey(input), JSON.stringify(input))
    if (made === undefined) return
    setFields(empty)
    onMade(made)
  }
  // of a call that was lost, or of which a proxy has no answer
  const status = writing.refusal?.status
  const isOutcomeUnknown = status !== undefined && (status === 0 || status >= 500)
  const toggle = (scope: Scope) => {
    const scopes = fields.scopes.includes(scope)
      ? fields.scopes.filter((one) => one !== scope)
      : [...fields.scopes, scope]
    setFields({ ...fields, scopes })
  }
  return (
    <Form writing={writing} submit="Create the key" onSubmit={create}>
      <Field label="Name" name="name" value={fields.name} onValue={set('name')} required hint="What it is for." />
      <fieldset>
        <legend>What it may do</legend>
        {(Object.entries(scopesTold) as [Scope, string][]).map(([scope, text]) => (
          <label key={scope} class="choice">
            <input
              type="checkbox"
              name={scope}
              checked={fields.scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
            <span>
              <code>{scope}</code>: {text}
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label="User"
        name="user"
        value={fields.user}
        onValue={set('user')}
        hint="It sees what is private to this user, and what it writes is theirs."
      />
      <Field
        label="Teams"
        name="teams"
        value={fields.teams}
        onValue={set('teams')}
        hint="The ids (UUIDs) of teams whose records it sees."
      />
      <label>
        Last day (UTC)<span class="hint"> (optional)</span>
        <input
          type="date"
          name="until"
          value={fields.until}
          onInput={(event) => set('until')(event.currentTarget.value)}
        />
      </label>
      {isOutcomeUnknown && (
        <p>The key may have been created all the same: load the page again, and revoke it if it is listed.</p>
      )}
    </Form>
  )
}
