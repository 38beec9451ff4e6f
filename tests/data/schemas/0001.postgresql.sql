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
    AS $$ BEGIN RAISE EXCEPTION '%_append_only: % are never changed or deleted', TG_TABLE_NAME, TG_TABLE_NAME USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only'; END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.answers (
    actor text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    request bytea NOT NULL,
    stream text COLLATE pg_catalog."C",
    seq bigint,
    refusal bytea,
    CONSTRAINT answers_outcome_check CHECK (((seq IS NULL) <> (refusal IS NULL)))
);
CREATE TABLE public.events (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    at bigint NOT NULL,
    office bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    key text COLLATE pg_catalog."C",
    request bytea,
    body text NOT NULL COLLATE pg_catalog."C",
    sealed bytea,
    hash bytea NOT NULL,
    CONSTRAINT events_seq_check CHECK ((seq > 0))
);
CREATE TABLE public.house (
    one bigint NOT NULL,
    epoch bigint NOT NULL,
    key_id text NOT NULL COLLATE pg_catalog."C",
    revision text NOT NULL COLLATE pg_catalog."C",
    office bigint NOT NULL,
    CONSTRAINT house_one_check CHECK ((one = 1))
);
CREATE TABLE public.people (
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    active boolean NOT NULL,
    bot boolean NOT NULL
);
CREATE TABLE public.streams (
    name text NOT NULL COLLATE pg_catalog."C"
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
    CONSTRAINT wallets_micros_check CHECK ((micros >= 0))
);
INSERT INTO public.alembic_version VALUES ('0001');
INSERT INTO public.answers VALUES ('cal', 'k1', '\x0000000000000000000000000000000000000000000000000000000000000000', 'cage', 1, NULL);
INSERT INTO public.answers VALUES ('cal', 'k2', '\x0000000000000000000000000000000000000000000000000000000000000000', 'cage', NULL, '\x72656675736564');
INSERT INTO public.events VALUES ('cage', 1, 1763000000000000, 2, 'cal', 'cashier', 'buy-in', 'k1', '\x0000000000000000000000000000000000000000000000000000000000000000', '{"player":"ann","micros":5000000}', NULL, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO public.events VALUES ('table/one', 1, 1763000000000001, 2, 'dan', 'dealer', 'open', NULL, NULL, '{"round":1}', '\x00ff7365616c6564', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO public.people VALUES ('ann', 'player', true, false);
INSERT INTO public.streams VALUES ('cage');
INSERT INTO public.streams VALUES ('table/one');
INSERT INTO public.streams VALUES ('meter/mega');
INSERT INTO public.transfers VALUES ('cage', 1, 1, 'cage', 'wallet/ann', 5000000);
INSERT INTO public.transfers VALUES ('table/one', 1, 1, 'house', 'meter/mega', 230000);
INSERT INTO public.wallets VALUES ('ann', 5000000);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.answers
    ADD CONSTRAINT answers_pkey PRIMARY KEY (actor, key);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (stream, seq);
ALTER TABLE ONLY public.house
    ADD CONSTRAINT house_pkey PRIMARY KEY (one);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.streams
    ADD CONSTRAINT streams_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_pkey PRIMARY KEY (stream, seq, n);
ALTER TABLE ONLY public.wallets
    ADD CONSTRAINT wallets_pkey PRIMARY KEY (player);
CREATE INDEX events_open ON public.events USING btree (stream, seq) WHERE (kind = 'open'::text);
CREATE INDEX transfers_from_meters ON public.transfers USING btree (source, stream, seq, micros) WHERE ((source ~~ 'meter/%'::text) OR (source ~~ 'reserve/%'::text));
CREATE INDEX transfers_to_meters ON public.transfers USING btree (target, stream, seq, micros) WHERE ((target ~~ 'meter/%'::text) OR (target ~~ 'reserve/%'::text));
CREATE TRIGGER answers_no_delete BEFORE DELETE ON public.answers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER answers_no_truncate BEFORE TRUNCATE ON public.answers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER answers_no_update BEFORE UPDATE ON public.answers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_delete BEFORE DELETE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER events_no_update BEFORE UPDATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_delete BEFORE DELETE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_truncate BEFORE TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER transfers_no_update BEFORE UPDATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();
ALTER TABLE ONLY public.transfers
    ADD CONSTRAINT transfers_event_fkey FOREIGN KEY (stream, seq) REFERENCES public.events(stream, seq);
