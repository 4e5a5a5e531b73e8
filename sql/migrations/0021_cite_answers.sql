-- Digests of answers only for what findings name: an outcome says instead what was asked.
-- Locks: tables outcome and answer, for the instant of their change. The program holds the
-- migration lock.

alter table reconcile.outcome add column question bytea;
comment on column reconcile.outcome.question is
    'What Apple was asked, as in reconcile.answer. Null where nobody was asked; and of runs from '
    'before this column, which have evidence_sha256.';
comment on column reconcile.outcome.evidence_sha256 is
    'Of the body of the last answer, as received. Of runs from before the column question only.';

alter table reconcile.answer
    drop constraint answer_check2,
    add constraint answer_digest_check check (body is not null or body_sha256 is null)
    -- The check that goes has seen to it.
    not valid;
comment on column reconcile.answer.body_sha256 is
    'Of the body. Null until a finding of a run that has ended is seen to name it: the others go, '
    'unless all are kept.';
