SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'never % %', lower(TG_OP), TG_TABLE_NAME USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME; END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.acknowledged (
    alert text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.changes (
    change bigint NOT NULL,
    decided bigint
);
CREATE TABLE public.credentials (
    person text NOT NULL COLLATE pg_catalog."C",
    shown text NOT NULL COLLATE pg_catalog."C",
    login text COLLATE pg_catalog."C",
    secret text COLLATE pg_catalog."C",
    totp text COLLATE pg_catalog."C",
    changed bigint NOT NULL
);
CREATE TABLE public.events (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    at bigint NOT NULL,
    office bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    number bigint,
    key text COLLATE pg_catalog."C",
    request bytea,
    body text NOT NULL COLLATE pg_catalog."C",
    sealed bytea,
    hash bytea NOT NULL,
    CONSTRAINT events_seq_check CHECK ((seq > 0))
);
CREATE TABLE public.flows (
    meter text NOT NULL COLLATE pg_catalog."C",
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    meter_micros bigint NOT NULL,
    reserve_micros bigint NOT NULL
);
CREATE TABLE public.house (
    one bigint NOT NULL,
    epoch bigint NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    revision text NOT NULL COLLATE pg_catalog."C",
    office bigint NOT NULL,
    approval boolean NOT NULL,
    CONSTRAINT house_one_check CHECK ((one = 1))
);
CREATE TABLE public.leases (
    stream text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL
);
CREATE TABLE public.moves (
    player text NOT NULL COLLATE pg_catalog."C",
    n bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    micros bigint NOT NULL
);
CREATE TABLE public.people (
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    shift bigint
);
CREATE TABLE public.sessions (
    digest bytea NOT NULL,
    person text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    made bigint NOT NULL,
    until bigint NOT NULL,
    proved bigint NOT NULL,
    note text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.streams (
    name text NOT NULL COLLATE pg_catalog."C",
    house_micros bigint DEFAULT '0'::bigint NOT NULL,
    chips_micros bigint DEFAULT '0'::bigint NOT NULL
);
CREATE TABLE public.transfers (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    n bigint NOT NULL,
    source text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    micros bigint NOT NULL,
    CONSTRAINT transfers_accounts_check CHECK ((source <> target)),
    CONSTRAINT transfers_micros_check CHECK ((micros > 0))
);
CREATE TABLE public.wallets (
    player text NOT NULL COLLATE pg_catalog."C",
    micros bigint NOT NULL,
    moves bigint DEFAULT '0'::bigint NOT NULL,
    bought_cents bigint DEFAULT '0'::bigint NOT NULL,
    cashed_cents bigint DEFAULT '0'::bigint NOT NULL,
    CONSTRAINT wallets_micros_check CHECK ((micros >= 0))
);
INSERT INTO public.alembic_version VALUES ('0001');
INSERT INTO public.events VALUES ('cage', 1, 1763000000000000, 2, 'cal', 'cashier', 'buy-in', NULL, 'k1', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '{"player":"ann"}', NULL, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO public.events VALUES ('table/one', 1, 1763000000000000, 2, 'dan', 'dealer', 'open', 1, NULL, NULL, '{}', '\x00ff7365616c6564', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO public.moves VALUES ('ann', 1, 'cage', 1, 5000000);
INSERT INTO public.streams VALUES ('cage', 0, 0);
INSERT INTO public.streams VALUES ('table/one', 0, 0);
INSERT INTO public.streams VALUES ('meter/mega', 0, 0);
INSERT INTO public.transfers VALUES ('cage', 1, 1, 'cage', 'wallet/ann', 5000000);
INSERT INTO public.transfers VALUES ('table/one', 1, 1, 'house', 'meter/mega', 5000000);
INSERT INTO public.wallets VALUES ('ann', 5000000, 1, 0, 0);
ALTER TABLE ONLY public.acknowledged
    ADD CONSTRAINT acknowledged_pkey PRIMARY KEY (alert);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (change);
ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (stream, seq);
ALTER TABLE ONLY public.flows
    ADD CONSTRAINT flows_pkey PRIMARY KEY (meter, stream);
ALTER TABLE ONLY public.house
    ADD CONSTRAINT house_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (stream);
ALTER TABLE ONLY public.moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (player, n);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.streams
    ADD CONSTRAINT streams_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (stream, seq, n);
ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (player);
CREATE UNIQUE INDEX acknowledged_seq ON public.acknowledged USING btree (seq);
CREATE UNIQUE INDEX changes_waiting ON public.changes USING btree (change) WHERE (decided IS NULL);
CREATE UNIQUE INDEX credentials_login ON public.credentials USING btree (login) WHERE (login IS NOT NULL);
CREATE UNIQUE INDEX events_key ON public.events USING btree (actor, key) WHERE (key IS NOT NULL);
CREATE UNIQUE INDEX events_number ON public.events USING btree (stream, kind, number) WHERE (number IS NOT NULL);
CREATE UNIQUE INDEX people_shift ON public.people USING btree (shift) WHERE (shift IS NOT NULL);
CREATE UNIQUE INDEX sessions_person ON public.sessions USING btree (person, digest);
CREATE UNIQUE INDEX sessions_until ON public.sessions USING btree (until, digest);
CREATE TRIGGER acknowledged_no_delete BEFORE DELETE ON public.acknowledged FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER acknowledged_no_truncate BEFORE TRUNCATE ON public.acknowledged FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER acknowledged_no_update BEFORE UPDATE ON public.acknowledged FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER changes_no_delete BEFORE DELETE ON public.changes FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER changes_no_truncate BEFORE TRUNCATE ON public.changes FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_delete BEFORE DELETE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_update BEFORE UPDATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER flows_no_delete BEFORE DELETE ON public.flows FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER flows_no_truncate BEFORE TRUNCATE ON public.flows FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER house_no_delete BEFORE DELETE ON public.house FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER house_no_truncate BEFORE TRUNCATE ON public.house FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER moves_no_delete BEFORE DELETE ON public.moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER moves_no_truncate BEFORE TRUNCATE ON public.moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER moves_no_update BEFORE UPDATE ON public.moves FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER people_no_delete BEFORE DELETE ON public.people FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER people_no_truncate BEFORE TRUNCATE ON public.people FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER streams_no_delete BEFORE DELETE ON public.streams FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER streams_no_truncate BEFORE TRUNCATE ON public.streams FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER wallets_no_delete BEFORE DELETE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER wallets_no_truncate BEFORE TRUNCATE ON public.wallets FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_event_fkey FOREIGN KEY (stream, seq) REFERENCES public.events(stream, seq);
