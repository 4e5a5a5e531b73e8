-- Makes what a session prints and reads independent of the server's and the role's settings.
-- No parameters, no locks.
select
    set_config('datestyle', 'ISO, YMD', false),
    set_config('intervalstyle', 'postgres', false),
    set_config('timezone', 'UTC', false),
    set_config('bytea_output', 'hex', false),
    set_config('extra_float_digits', '1', false),
    set_config('standard_conforming_strings', 'on', false),
    set_config('client_min_messages', 'warning', false),
    -- Somebody's lock ends the night with an error that names it, and does not hold it for ever.
    set_config('lock_timeout', '60s', false),
    -- Compiling takes longer than any of our statements on one batch.
    set_config('jit', 'off', false)
